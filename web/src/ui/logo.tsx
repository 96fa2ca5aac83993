import { common } from '../texts/common.ts';

/** A check mark over a line: what was agreed to, signed. The same drawing as `icon.svg`, which other sites may load. */
function Logo() {
  return (
    <svg className="logo" viewBox="0 0 64 64" aria-hidden="true">
      <rect className="logo-ground" width="64" height="64" rx="16" />
      <path className="logo-check" d="M16 33l11 11 21-25" />
      <path className="logo-line" d="M16 53h32" />
    </svg>
  );
}

/** The name of the product as it stands at the top of every page. */
export function Brand({ part }: { part?: string }) {
  return (
    <span className="brand">
      <Logo />
      <span>
        {common.product}
        {part === undefined ? null : <span className="brand-part"> {part}</span>}
      </span>
    </span>
  );
}
