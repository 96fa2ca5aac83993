import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './blocks.ts';

/** Markdown of the repository that people read: the top, packages and everything below docs/. */
export function markdownFiles(): string[] {
  const below = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) =>
    join('docs', name),
  );
  const tops = readdirSync(ROOT);
  const packages = ['protocol', 'sdk', 'server', 'cli', 'web'].map((name) => join(name, 'README.md'));
  return [...tops, ...packages, ...below]
    .filter((name) => name.endsWith('.md') && existsSync(join(ROOT, name)))
    .sort();
}

/** Files of the repository that a page, or one line of it, links to. */
export function linksOf(file: string, line = readFileSync(join(ROOT, file), 'utf8')): string[] {
  return [...line.matchAll(/\]\(([^()\s#]+)[^()\s]*\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z][a-z0-9+.-]*:/i.test(link))
    .map((link) => join(dirname(file), link));
}

/** Relative links of a page that lead nowhere: to a file that is not there, or to a heading that it does not have. */
export function brokenLinks(file: string): string[] {
  const text = withoutCode(readFileSync(join(ROOT, file), 'utf8'));
  const links = [...text.matchAll(/\]\(([^()\s]+)(?:\s+"[^"]*")?\)/g)].map((match) => match[1] ?? '');
  return links
    .filter((link) => !/^[a-z][a-z0-9+.-]*:/i.test(link))
    .filter((link) => !leadsSomewhere(file, link))
    .map((link) => `${file}: ${link}`);
}

function leadsSomewhere(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(ROOT, file) : join(ROOT, dirname(file), decodeURIComponent(path));
  if (relative(ROOT, target).startsWith('..') || !existsSync(target)) return false;
  if (anchor === undefined) return true;
  return target.endsWith('.md') && anchorsOf(readFileSync(target, 'utf8')).has(anchor);
}

/** Names that GitHub gives to headings. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(text).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const base = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let name = base;
    for (let count = 1; anchors.has(name); count += 1) name = `${base}-${count}`;
    anchors.add(name);
  }
  return anchors;
}

function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}

function withoutCode(text: string): string {
  return withoutFences(text).replace(/`[^`\n]*`/g, '');
}
