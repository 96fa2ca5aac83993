/**
 * How bytes and JSON are written: base64 and the JSON of RFC 8785, read strictly, digit for digit. Knows nothing of
 * records. Everyone may import it; whatever is read here has exactly one spelling, or is refused.
 */
export * from './base64.ts';
export * from './canonical-json.ts';
export { ExactNumber, exactJson, parseExactJson, parseJsonKeepingDigits } from './exact-json.ts';
export * from './strict-json.ts';
