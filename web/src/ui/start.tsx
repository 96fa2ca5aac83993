// What every page is made of: controls, forms, tables of facts, the words of others, themes, the cache of queries.
// Portal, wallet and verifier import from here; nothing here imports from them or knows a call of the service.
// It holds: words of others are never markup, and every error says what happened and what to do next.
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { common } from '../texts/common.ts';
import { startLanguage } from '../texts/language.ts';
import { startTheme } from './header.tsx';
import { DrawingFault, ErrorBoundary } from './on-demand.tsx';
import { Page } from './page.tsx';
import { queries } from './queries.ts';
import './ui.css';

/** In the language of the visitor: nothing is drawn before its words are there. */
export async function startPage(page: ReactNode, german: () => Promise<object>): Promise<void> {
  startTheme();
  startTypeface();
  await startLanguage(german);
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary fallback={<BrokenPage />}>
        <QueryClientProvider client={queries}>{page}</QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>,
  );
}

/** What is left when not even the frame around the pages could be drawn. */
function BrokenPage() {
  return (
    <main className="page-narrow">
      <Page title={common.errors.brokenTitle}>
        <DrawingFault />
      </Page>
    </main>
  );
}

/**
 * Shows the page in its typeface: at once where the browser has kept the files of the page, otherwise after all that
 * the first view needs has come.
 */
function startTypeface(): void {
  const show = () => document.documentElement.removeAttribute('data-typeface');
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const isKept = files.every(({ name, transferSize }) => !name.endsWith('.css') || transferSize === 0);
  if (isKept) show();
  else addEventListener('load', () => setTimeout(show, 500));
}
