/** Text with a value between each two strings. */
export class Text {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }

  /** In the driver's form of a statement. */
  template(): TemplateStringsArray {
    return Object.assign([...this.strings], { raw: this.strings });
  }
}

/** Assembles a statement as the driver would, without sending it. A string alone is an identifier. */
export function writeText(first: TemplateStringsArray | string, ...values: unknown[]): Text {
  if (typeof first === 'string') return new Text([`"${first.replaceAll('"', '""')}"`], []);
  const strings = [first[0] ?? ''];
  const inside: unknown[] = [];
  values.forEach((value, index) => {
    if (value instanceof Text) {
      strings[strings.length - 1] += value.strings[0] ?? '';
      strings.push(...value.strings.slice(1));
      inside.push(...value.values);
    } else {
      strings.push('');
      inside.push(value);
    }
    strings[strings.length - 1] += first[index + 1] ?? '';
  });
  return new Text(strings, inside);
}

/** Text that becomes part of a statement unchanged. */
export const asText = (text: string): Text => new Text([text], []);
