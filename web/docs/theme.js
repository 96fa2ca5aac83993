/** Before anything is drawn, or the page would flash in the other theme: a classic script in the head. */
{
  let theme;
  try {
    theme = localStorage.getItem('payassent-theme');
  } catch {
    // The browser keeps nothing for this page.
  }
  if (theme !== 'light' && theme !== 'dark')
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = theme;
}
