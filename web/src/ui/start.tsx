// The parts of every page: controls, forms, tables of details, foreign text, themes, the query cache. Portal, wallet
// and verifier import from here; nothing here imports from them or knows a call of the service. Invariants: foreign
// text is never markup, and every error shows what happened and what to do next.
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

/** In the language of the visitor: nothing is drawn before its texts are loaded. */
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

/** The last resort when not even the frame around the pages could be drawn. */
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
 * Shows the page in its typeface: immediately where the browser has cached the files of the page, otherwise after
 * everything that the first view needs has loaded.
 */
function startTypeface(): void {
  const show = () => document.documentElement.removeAttribute('data-typeface');
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const isKept = files.every(({ name, transferSize }) => !name.endsWith('.css') || transferSize === 0);
  if (isKept) show();
  else addEventListener('load', () => setTimeout(show, 500));
}
