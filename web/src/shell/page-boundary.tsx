import { Component, type ReactNode } from 'react';
import { ErrorState } from '../components/states.tsx';
import { PageNotFetched } from '../navigation/lazy-page.ts';
import { NotFetched } from './not-fetched.tsx';

interface Props {
  /** A change of place resets the error. */
  readonly place: string;
  readonly children: ReactNode;
}

interface State {
  readonly error: unknown;
}

/** A page that crashes shows an error and leaves the menu usable. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidUpdate(before: Props): void {
    if (before.place !== this.props.place && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    if (this.state.error instanceof PageNotFetched) return <NotFetched />;
    return (
      <ErrorState title="Could not show this page" error={this.state.error} retry={() => window.location.reload()} />
    );
  }
}
