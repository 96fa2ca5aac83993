import type { ReactNode } from 'react';
import { shellTexts } from '../../texts/portal/shell.ts';
import { Brand } from '../../ui/logo.tsx';
import { Switches } from '../../ui/switches.tsx';

interface OutsideFrameProps {
  switches?: ReactNode;
  children: ReactNode;
}

/** Around everything that is shown before somebody is signed in. */
export function OutsideFrame({ switches = <Switches />, children }: OutsideFrameProps) {
  return (
    <div className="outside">
      <header className="outside-bar">
        <Brand />
        {switches}
      </header>
      <main className="outside-main">
        <div className="card outside-card">{children}</div>
      </main>
      <footer className="outside-foot soft">{shellTexts.footer}</footer>
    </div>
  );
}
