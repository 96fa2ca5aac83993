import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Marked } from 'marked';
import { stateDiagram } from './diagram.mjs';
import { codeBlock, escapeHtml, slug } from './layout.mjs';
import { CONCEPTS, termsOf, withTermAnchors, withTermLinks } from './terms.mjs';

const INDEX = 'docs/README.md';

/** The Markdown files of the repository that are pages, by their path from its root. */
export function guideFiles(root) {
  const below = readdirSync(path.join(root, 'docs'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
  // On the site the index is the page that leads to all others.
  return [...below.filter((file) => file !== INDEX).sort(), 'CHANGELOG.md', 'SECURITY.md'];
}

/** `docs/guides/cli.md` is read at `/docs/guides/cli`, and `docs/proof/README.md` at `/docs/proof`. */
export function urlOf(file) {
  return `/docs/${file
    .replace(/^docs\//, '')
    .replace(/(\/README)?\.md$/, '')
    .toLowerCase()}`;
}

/**
 * One file as a page. Links to other files of the set lead to their pages, links to the contract to the one that the
 * service serves. A file that is only in the repository is named and not linked.
 */
export function renderGuide(root, file, files) {
  const headings = [];
  const pictures = [];
  const resolve = (href) => {
    if (/^(https?:|mailto:|#)/.test(href)) return href;
    const [target, anchor] = href.split('#');
    const whole = path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
    if (whole === 'openapi.json') return '/openapi.json';
    if (whole === 'README.md' || whole === INDEX) return '/docs';
    return files.includes(whole) ? `${urlOf(whole)}${anchor ? `#${anchor}` : ''}` : undefined;
  };
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      html: ({ text }) => (/^\s*<!--/.test(text) ? '' : escapeHtml(text)),
      heading({ tokens, depth, text }) {
        const name = plain(text);
        const id = unused(
          slug(name),
          headings.map((one) => one.id),
        );
        headings.push({ id, text: name, depth });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // A method with its path may wrap over two lines; a name may not.
      codespan: ({ text }) =>
        `<code${/^[A-Z]+ \//.test(text) ? ' class="endpoint"' : ''}>${escapeHtml(text)}</code>`,
      code: ({ text, lang }) =>
        text.startsWith('stateDiagram')
          ? stateDiagram(text, headings.at(-1)?.id)
          : codeBlock(text, lang ? `Code, ${lang}` : 'Code'),
      link({ href, tokens }) {
        const shown = this.parser.parseInline(tokens);
        const target = resolve(href);
        if (target === undefined) return shown;
        const outside = /^https?:/.test(target) ? ' rel="noreferrer noopener"' : '';
        return `<a href="${escapeHtml(target)}"${outside}>${shown}</a>`;
      },
      image({ href, text }) {
        const whole = path.posix.normalize(path.posix.join(path.posix.dirname(file), href));
        if (!existsSync(path.join(root, whole))) return escapeHtml(text);
        pictures.push(whole);
        return `<img src="/${whole}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
    },
    hooks: {
      postprocess: (html) =>
        (file === ERRORS ? withCodesAsAnchors(html) : html)
          .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
          .replaceAll('</table>', '</table></div>')
          // The corner above the names of rows heads nothing.
          .replaceAll('<th></th>', '<td></td>'),
    },
  });
  const text = readFileSync(path.join(root, file), 'utf8');
  const parsed = marked.parse(text);
  const html = file === CONCEPTS ? withTermAnchors(parsed) : withTermLinks(parsed, termsOf(root));
  const [first, ...others] = headings;
  const title = first?.text ?? file;
  return {
    file,
    url: urlOf(file),
    title,
    html: `<div class="prose">${html}</div>`,
    headings: others.filter(({ depth }) => depth === 2),
    places: others,
    summary: summaryOf(text),
    pictures,
  };
}

/** `type` of a problem document leads to the section of its code, whose name GitHub would write in lower case. */
const ERRORS = 'docs/ERRORS.md';

function withCodesAsAnchors(html) {
  return html.replace(/<h3 id="\w+">(<code>(\w+)<\/code>)/g, '<h3 id="$2">$1');
}

function plain(text) {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
}

function unused(id, taken) {
  for (let number = 0; ; number += 1) {
    const candidate = number === 0 ? id : `${id}-${number}`;
    if (!taken.includes(candidate)) return candidate;
  }
}

/** The first paragraph that is one. */
function summaryOf(text) {
  const paragraph = text.split(/\n{2,}/).find((part) => /^[\p{L}`[]/u.test(part) && !part.startsWith('<!--'));
  return plain(paragraph ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, 240);
}
