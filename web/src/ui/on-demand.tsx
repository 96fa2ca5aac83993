import { Component, type ComponentType, Fragment, lazy, type ReactNode, Suspense } from 'react';
import { common } from '../texts/common.ts';
import { Button } from './button.tsx';
import { Note, Skeleton } from './notes.tsx';

/** A page whose code is loaded when it is first opened: no view waits for what it does not show. */
export function onDemand<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] as ComponentType<PropsOf<Module[Name]>> }));
}

type PropsOf<Page> = Page extends (props: infer Props) => ReactNode ? Props : never;

interface LoadedProps {
  /** What stands around the outline while even the frame is on its way. */
  frame?: ComponentType<{ children: ReactNode }>;
  children: ReactNode;
}

/** Around such pages: on its way, or broken, without harm to the frame. */
export function Loaded({ frame: Frame = Fragment, children }: LoadedProps) {
  return (
    <ErrorBoundary>
      <Suspense
        fallback={
          <Frame>
            <Skeleton />
          </Frame>
        }
      >
        {children}
      </Suspense>
    </ErrorBoundary>
  );
}

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
      <Button kind="main" onClick={() => location.reload()}>
        {common.errors.reloadNow}
      </Button>
    </div>
  );
}
