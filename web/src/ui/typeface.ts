/**
 * Shows the page in its typeface: at once where the browser has kept the files of the page, otherwise after all that
 * the first view needs has come.
 */
export function startTypeface(): void {
  const show = () => document.documentElement.removeAttribute('data-typeface');
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const isKept = files.every(({ name, transferSize }) => !name.endsWith('.css') || transferSize === 0);
  if (isKept) show();
  else addEventListener('load', () => setTimeout(show, 500));
}
