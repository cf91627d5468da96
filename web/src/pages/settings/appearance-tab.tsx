import type { ReactElement } from 'react';
import { Card, RadioCards } from '../../components/index.ts';
import { useTheme } from '../../navigation/theme.ts';

export function AppearanceTab(): ReactElement {
  const { choice, choose } = useTheme();
  return (
    <Card title="Theme" description="Saved in this browser.">
      <RadioCards
        label="Theme"
        columns={3}
        value={choice}
        onChange={choose}
        options={[
          { value: 'system', title: 'System' },
          { value: 'light', title: 'Light' },
          { value: 'dark', title: 'Dark' },
        ]}
      />
    </Card>
  );
}
