/** The first match counts: most browsers also name the ones they claim compatibility with. */
const BROWSERS: ReadonlyArray<readonly [mark: RegExp, name: string]> = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: ReadonlyArray<readonly [mark: RegExp, name: string]> = [
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** The common name of the browser that sends this `User-Agent`; undefined for an unknown one. */
export function browserName(userAgent: string): { name: string; system: string | undefined } | undefined {
  const first = (list: typeof BROWSERS) => list.find(([mark]) => mark.test(userAgent))?.[1];
  const name = first(BROWSERS);
  return name === undefined ? undefined : { name, system: first(SYSTEMS) };
}
