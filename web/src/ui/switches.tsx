import { chooseLanguage, LANGUAGES, otherLanguage } from '../texts/language.ts';
import { Button } from './button.tsx';
import { ThemeSwitch } from './theme.tsx';

/** How the pages speak and look, in the corner of each of them. */
export function Switches() {
  return (
    <span className="row">
      <LanguageSwitch />
      <ThemeSwitch />
    </span>
  );
}

/** Named in its own language, for those who cannot read the other one. */
export function LanguageSwitch() {
  return (
    <Button kind="plain" lang={otherLanguage} onClick={() => chooseLanguage(otherLanguage)}>
      {LANGUAGES[otherLanguage]}
    </Button>
  );
}
