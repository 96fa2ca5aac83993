const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text) {
  return String(text).replace(/[&<>"']/g, (character) => ESCAPES[character]);
}

/** What is between backticks as code, everything else as it is. */
export function inline(text) {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** As GitHub makes them, so that links between the pages of the repository work here too. */
export function slug(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** With a button that copies it; the script shows the button. */
export function codeBlock(code, label) {
  return (
    `<div class="code"><pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${escapeHtml(code)}</code></pre>` +
    '<button class="copy" type="button" hidden>Copy</button></div>'
  );
}

const LOGO =
  '<svg class="logo" viewBox="0 0 64 64" aria-hidden="true"><rect class="logo-ground" width="64" height="64" rx="16"/><path class="logo-check" d="M16 33l11 11 21-25"/><path class="logo-line" d="M16 53h32"/></svg>';

function sideLinks(groups, url) {
  return groups
    .map(({ title, pages }) => {
      const links = pages.map((page) => {
        const current = page.url === url ? ' aria-current="page"' : '';
        return `<li><a href="${page.url}"${current}>${escapeHtml(page.short ?? page.title)}</a></li>`;
      });
      return `<section><h2>${escapeHtml(title)}</h2><ul>${links.join('')}</ul></section>`;
    })
    .join('');
}

function tableOfContents(headings) {
  if (headings.length < 2) return '';
  const links = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></nav>`;
}

/** One whole page. */
export function layout({ page, groups, assets }) {
  const { title, url, html, headings = [], kind = 'guide' } = page;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(page.summary ?? `${title}: documentation of PayAssent.`)}">
<title>${escapeHtml(title)} · PayAssent documentation</title>
<link rel="icon" href="/web/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets.css}">
<script src="${assets.theme}"></script>
<script type="module" src="${assets.js}"></script>
</head>
<body data-kind="${kind}">
<a class="skip-link" href="#content">Skip to the content</a>
<header class="bar">
<button class="menu" type="button" aria-expanded="false" aria-controls="side" hidden>Menu</button>
<a class="brand" href="/docs" aria-label="PayAssent docs">${LOGO}<span>PayAssent <span class="soft">docs</span></span></a>
<search class="search"><label class="visually-hidden" for="search">Search the documentation</label>
<input id="search" class="input" type="search" placeholder="Search guides and calls" autocomplete="off" data-index="${assets.index}" data-search="${assets.search}">
<div id="found" class="found" hidden></div></search>
<nav class="doors" aria-label="Elsewhere"><a href="/portal">Portal</a><a href="/wallet">Wallet</a><a href="/openapi.json" download>OpenAPI</a></nav>
<button id="theme" class="button" data-kind="plain" type="button" hidden>Dark</button>
</header>
<div class="frame">
<nav id="side" class="side" aria-label="Documentation">${sideLinks(groups, url)}</nav>
<main id="content" tabindex="-1">${html}</main>
${tableOfContents(headings)}
</div>
</body>
</html>
`;
}
