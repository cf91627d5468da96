import { Component, type ReactNode } from 'react';
import { ErrorState } from '../components/states.tsx';

interface Props {
  /** A new place is a new try. */
  readonly place: string;
  readonly children: ReactNode;
}

interface State {
  readonly error: unknown;
}

/** A page that breaks leaves the menu standing, and says so. */
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
    // A page that cannot be fetched is most often one of an older version: the whole document is fetched anew.
    return (
      <ErrorState
        title="This page could not be shown."
        error={this.state.error}
        retry={() => window.location.reload()}
      />
    );
  }
}
