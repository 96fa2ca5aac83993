import type { ReactNode } from 'react';
import { shell } from '../texts/wallet.ts';
import { Brand, Switches } from '../ui/header.tsx';

/** Around what is shown before there is a wallet. */
export function Plain({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="wallet-header">
        <Brand part={shell.product} />
        <Switches />
      </header>
      <main className="page-narrow wallet-main" id="content">
        {children}
      </main>
    </>
  );
}
