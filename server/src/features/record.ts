import type { Static, TObject } from 'typebox';

/** A record of the contract as it is stored: its times are dates. */
export type Stored<Wire> = {
  [Name in keyof Wire]: Name extends `${string}_at` | `${string}_since`
    ? Date | Extract<Wire[Name], null>
    : Wire[Name];
};

/**
 * The record as the contract publishes it: the members of its schema, in their order, and no other column of the row.
 * Dates become text.
 */
export function viewOf<Schema extends TObject>(schema: Schema) {
  const names = Object.keys(schema.properties);
  return (row: { [Name in keyof Static<Schema>]: Static<Schema>[Name] | Date }): Static<Schema> => {
    const view: Record<string, unknown> = {};
    for (const name of names) {
      const value: unknown = row[name as keyof typeof row];
      if (value !== undefined) view[name] = value instanceof Date ? value.toISOString() : value;
    }
    return view as Static<Schema>;
  };
}
