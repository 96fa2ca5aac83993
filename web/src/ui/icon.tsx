import agents from 'lucide/dist/esm/icons/bot.mjs';
import back from 'lucide/dist/esm/icons/chevron-left.mjs';
import clock from 'lucide/dist/esm/icons/clock.mjs';
import policies from 'lucide/dist/esm/icons/file-text.mjs';
import inbox from 'lucide/dist/esm/icons/inbox.mjs';
import key from 'lucide/dist/esm/icons/key-round.mjs';
import more from 'lucide/dist/esm/icons/menu.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import shield from 'lucide/dist/esm/icons/shield-check.mjs';
import question from 'lucide/dist/esm/icons/shield-question-mark.mjs';
import devices from 'lucide/dist/esm/icons/smartphone.mjs';
import warning from 'lucide/dist/esm/icons/triangle-alert.mjs';
import { createElement } from 'react';

/** By what they mean here. Each is imported by itself, so that a page loads only those it shows. */
const ICONS = { agents, back, clock, devices, inbox, key, more, plus, policies, question, shield, warning };

export type IconName = keyof typeof ICONS;

/** One set, one weight. An icon never stands without words beside it, so it is silent. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      {ICONS[name].map(([tag, attributes]) =>
        createElement(tag, { key: JSON.stringify(attributes), ...attributes }),
      )}
    </svg>
  );
}
