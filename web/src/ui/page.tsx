import { type ReactNode, useEffect, useRef } from 'react';

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
