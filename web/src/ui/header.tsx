import { LANGUAGES } from '@payassent/protocol';
import { useState } from 'react';
import { common } from '../texts/common.ts';
import { chooseLanguage, otherLanguage } from '../texts/language.ts';
import { Button } from './button.tsx';

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

/** The name of the product as it is at the top of every page. */
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

/** Language and theme, in the corner of each page. */
export function Switches() {
  return (
    <span className="row">
      <LanguageSwitch />
      <ThemeSwitch />
    </span>
  );
}

/** Named in its own language, for readers who cannot read the other one. */
export function LanguageSwitch() {
  return (
    <Button kind="plain" lang={otherLanguage} onClick={() => chooseLanguage(otherLanguage)}>
      {LANGUAGES[otherLanguage]}
    </Button>
  );
}

type Theme = 'light' | 'dark';
const STORAGE_NAME = 'payassent-theme';

function preferredTheme(): Theme {
  const chosen = localStorage.getItem(STORAGE_NAME);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

/** Called before anything is drawn. */
export function startTheme(): void {
  applyTheme(preferredTheme());
}

export function ThemeSwitch() {
  const [theme, setTheme] = useState(preferredTheme);
  const other: Theme = theme === 'dark' ? 'light' : 'dark';
  const change = () => {
    localStorage.setItem(STORAGE_NAME, other);
    applyTheme(other);
    setTheme(other);
  };
  return (
    <Button kind="plain" onClick={change}>
      {common.theme[other]}
    </Button>
  );
}
