import { MIRROR, MIRRORED } from '../../db/mirror.ts';
import type { Sql } from '../../db/sql.ts';
import { asText, Text, writeText } from '../../db/text.ts';

/**
 * A statement about one merchant runs on the merchant's node: every table there is qualified with the merchant, and the
 * coordinator's tables are read from the node's copy.
 */
export function ofMerchant<Any extends Sql>(sql: Any, merchantId: string): Any {
  const run = (first: TemplateStringsArray | string, ...values: unknown[]) =>
    new NodeStatement(sql, merchantId, writeText(first, ...values));
  const { json, array, typed, types } = sql;
  return Object.assign(run, { json, array, typed, types, unsafe: asText }) as unknown as Any;
}

/** Part of another statement, or sent when it is awaited. */
class NodeStatement extends Text {
  readonly #sql: Sql;
  readonly #merchantId: string;

  constructor(sql: Sql, merchantId: string, { strings, values }: Text) {
    super(strings, values);
    this.#sql = sql;
    this.#merchantId = merchantId;
  }

  // biome-ignore lint/suspicious/noThenProperty: it takes the place of a statement of the driver, which is sent in this way.
  then(...callbacks: Parameters<Promise<unknown>['then']>): Promise<unknown> {
    const text = onNode(this, writeText`${this.#merchantId}`);
    return this.#sql(text.template(), ...(text.values as never[])).then(...callbacks);
  }
}

/** Two rows compared by their merchants are rows of the statement's merchant. */
const COMPARED = /(?<=\b\w+\.merchant_id = )\w+\.merchant_id\b/;
const OF_THE_COORDINATOR = new RegExp(`(?<=\\b(?:from|join) )(?=(?:${MIRRORED.join('|')})\\b)`, 'g');

/** The text as the node of `merchant` runs it. */
export function onNode({ strings, values }: Text, merchant: Text): Text {
  let text = asText('');
  strings.forEach((string, index) => {
    const [first = '', ...others] = string.replaceAll(OF_THE_COORDINATOR, `${MIRROR}.`).split(COMPARED);
    text = others.reduce<Text>(
      (sum, part) => writeText`${sum}${merchant}${asText(part)}`,
      writeText`${text}${asText(first)}`,
    );
    if (index < values.length) text = writeText`${text}${values[index]}`;
  });
  return text;
}
