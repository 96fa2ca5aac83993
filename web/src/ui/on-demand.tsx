import { type ComponentType, Fragment, lazy, type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { Skeleton } from './notes.tsx';

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
