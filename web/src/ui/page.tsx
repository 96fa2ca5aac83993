import { type ReactNode, useEffect, useRef } from 'react';

/** Heard by the window whenever a page with its title is there. */
export const PAGE_SHOWN = 'page-shown';

/** One page: its title is the document's, and receives the focus, so that a change of page is heard as well as seen. */
export function Page({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · PayAssent`;
    heading.current?.focus();
    dispatchEvent(new Event(PAGE_SHOWN));
  }, [title]);
  return (
    <div className="stack">
      <div className="row-between">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions}
      </div>
      {children}
    </div>
  );
}

/** Closing or reloading the page asks first. */
export function useUnloadGuard(isNeeded = true): void {
  useEffect(() => {
    if (!isNeeded) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    return () => removeEventListener('beforeunload', onUnload);
  }, [isNeeded]);
}
