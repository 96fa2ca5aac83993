import { useState } from 'react';
import { common } from '../texts/common.ts';
import { Button } from './button.tsx';

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
