/** A time as JSON text, as `JSON.stringify` writes a date: UTC with milliseconds. */
export function timeJson(column: string): string {
  return `'"' || to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'`;
}
