import type { ReactNode } from 'react';
import { shellTexts } from '../../texts/portal/shell.ts';
import { Brand } from '../../ui/logo.tsx';
import { ThemeSwitch } from '../../ui/theme.tsx';

/** Around everything that is shown before somebody is signed in. */
export function OutsideFrame({ children }: { children: ReactNode }) {
  return (
    <div className="outside">
      <header className="outside-bar">
        <Brand />
        <ThemeSwitch />
      </header>
      <main className="outside-main">
        <div className="card outside-card">{children}</div>
      </main>
      <footer className="outside-foot soft">{shellTexts.footer}</footer>
    </div>
  );
}
