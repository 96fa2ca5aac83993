import { WEBHOOK_EVENT_PATTERNS, WEBHOOK_EVENT_TYPES } from '@payassent/protocol';
import type { WebhookEventType, WebhookSubscription } from '@payassent/sdk';
import { webhooks } from '../../texts/portal/webhooks.ts';
import { CheckboxField } from '../../ui/fields.tsx';
import { actName, subscriptionName } from './event-names.tsx';

const texts = webhooks.create;
const FAMILIES = WEBHOOK_EVENT_PATTERNS.filter((pattern) => pattern !== '*');

function typesOf(family: string): WebhookEventType[] {
  const prefix = family.slice(0, -1);
  return WEBHOOK_EVENT_TYPES.filter((type) => type.startsWith(prefix));
}

/** Everything, whole families, or single events. */
export function EventChoice({
  chosen,
  onChange,
}: {
  chosen: readonly WebhookSubscription[];
  onChange(chosen: readonly WebhookSubscription[]): void;
}) {
  const isAll = chosen.includes('*');
  const toggle = (entry: WebhookSubscription, isOn: boolean) =>
    onChange(isOn ? [...chosen, entry] : chosen.filter((other) => other !== entry));
  return (
    <fieldset className="stack">
      <legend>{texts.events}</legend>
      <label className="row">
        <input type="radio" name="events" checked={isAll} onChange={() => onChange(['*'])} />
        {texts.all}
      </label>
      <label className="row">
        <input type="radio" name="events" checked={!isAll} onChange={() => onChange([])} />
        {texts.some}
      </label>
      {isAll
        ? null
        : FAMILIES.map((family) => <Family key={family} family={family} chosen={chosen} toggle={toggle} />)}
    </fieldset>
  );
}

function Family({
  family,
  chosen,
  toggle,
}: {
  family: WebhookSubscription;
  chosen: readonly WebhookSubscription[];
  toggle(entry: WebhookSubscription, isOn: boolean): void;
}) {
  const isWhole = chosen.includes(family);
  return (
    <fieldset className="stack-tight">
      <legend>{subscriptionName(family)}</legend>
      <CheckboxField
        label={texts.familyAll}
        checked={isWhole}
        onChange={(event) => toggle(family, event.currentTarget.checked)}
      />
      <div className="check-grid">
        {typesOf(family).map((type) => (
          <CheckboxField
            key={type}
            label={actName(type)}
            checked={isWhole || chosen.includes(type)}
            disabled={isWhole}
            onChange={(event) => toggle(type, event.currentTarget.checked)}
          />
        ))}
      </div>
    </fieldset>
  );
}
