import notifications from 'lucide/dist/esm/icons/bell.mjs';
import agents from 'lucide/dist/esm/icons/bot.mjs';
import done from 'lucide/dist/esm/icons/check.mjs';
import back from 'lucide/dist/esm/icons/chevron-left.mjs';
import clock from 'lucide/dist/esm/icons/clock.mjs';
import policies from 'lucide/dist/esm/icons/file-text.mjs';
import inbox from 'lucide/dist/esm/icons/inbox.mjs';
import key from 'lucide/dist/esm/icons/key-round.mjs';
import lock from 'lucide/dist/esm/icons/lock.mjs';
import more from 'lucide/dist/esm/icons/menu.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import shield from 'lucide/dist/esm/icons/shield-check.mjs';
import question from 'lucide/dist/esm/icons/shield-question-mark.mjs';
import devices from 'lucide/dist/esm/icons/smartphone.mjs';
import warning from 'lucide/dist/esm/icons/triangle-alert.mjs';
import failed from 'lucide/dist/esm/icons/x.mjs';
import { createElement } from 'react';

/** Named by their meaning here. Each is imported separately, so that a page loads only those it shows. */
const ICONS = {
  agents,
  back,
  clock,
  devices,
  done,
  failed,
  inbox,
  key,
  lock,
  more,
  notifications,
  plus,
  policies,
  question,
  shield,
  warning,
};

export type IconName = keyof typeof ICONS;

export function Icon({ name }: { name: IconName }) {
  return <Drawing shapes={ICONS[name]} />;
}

export type Shapes = typeof agents;

/** One set, one weight. An icon always has a text next to it, so screen readers skip it. */
export function Drawing({ shapes }: { shapes: Shapes }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      {shapes.map(([tag, attributes]) =>
        createElement(tag, { key: JSON.stringify(attributes), ...attributes }),
      )}
    </svg>
  );
}
