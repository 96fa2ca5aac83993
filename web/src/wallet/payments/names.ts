/** Letters outside of English can be drawn like others: the name of such a domain begins a part with `xn--`. */
export function isInternational(domain: string): boolean {
  return /(^|\.)xn--/.test(domain);
}
