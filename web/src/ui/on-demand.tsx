import { Component, type ComponentType, Fragment, lazy, type ReactNode, Suspense } from 'react';
import { common } from '../texts/common.ts';
import { Button } from './button.tsx';
import { Note, Skeleton } from './notes.tsx';

/** A page whose code is loaded when it is first opened, so that no view waits for code that it does not show. */
export function onDemand<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] as ComponentType<PropsOf<Module[Name]>> }));
}

type PropsOf<Page> = Page extends (props: infer Props) => ReactNode ? Props : never;

interface LoadedProps {
  /** The frame around the outline while the frame's own code is loading. */
  frame?: ComponentType<{ children: ReactNode }>;
  children: ReactNode;
}

/** Around such pages: an outline while they load, a note when they fail, and an intact frame in both cases. */
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
  /** Replaces content that could not be drawn; by default the usual text and a way to reload. */
  fallback?: ReactNode;
}

/**
 * Confines an error while rendering to its part of the page: without it React unmounts the whole page. A class, because
 * React reports such errors to classes only. To try again with other content, give it another key.
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
