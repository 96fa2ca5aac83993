import { Component, type ReactNode } from 'react';
import { common } from '../texts/common.ts';
import { Button } from './button.tsx';
import { Note } from './notes.tsx';

interface BoundaryProps {
  children: ReactNode;
  /** What stands in place of what could not be drawn; without it the usual words and a way to begin again. */
  fallback?: ReactNode;
}

/**
 * Keeps a fault while drawing to the part that it happened in: without it React takes the whole page away. A class,
 * because React tells only classes about such faults. To try again with other content, give it another key.
 */
export class ErrorBoundary extends Component<BoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children;
    return this.props.fallback ?? <DrawingFault />;
  }
}

export function DrawingFault() {
  return (
    <div className="stack">
      <Note kind="bad">
        <strong>{common.errors.unexpected}</strong>
        <span>{common.errors.reload}</span>
      </Note>
      <div>
        <Button kind="main" onClick={() => location.reload()}>
          {common.errors.reloadNow}
        </Button>
      </div>
    </div>
  );
}
