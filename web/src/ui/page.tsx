import { type ReactNode, useEffect, useRef } from 'react';

/** Dispatched on the window whenever a page has set its title. */
export const PAGE_SHOWN = 'page-shown';

/** One page: its title is the document's, and receives the focus, so that screen readers announce a change of page. */
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
  const hasFocus = useRef(false);
  useEffect(() => {
    document.title = `${title} · PayAssent`;
    // Where a page changes while someone is on it, only a focus that was lost with its element is moved.
    if (!hasFocus.current || document.activeElement === document.body) heading.current?.focus();
    hasFocus.current = true;
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

/** Closing or reloading the page needs a confirmation. */
export function useUnloadGuard(isNeeded = true): void {
  useEffect(() => {
    if (!isNeeded) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    return () => removeEventListener('beforeunload', onUnload);
  }, [isNeeded]);
}
