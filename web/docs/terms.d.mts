export function termsOf(root: string): { id: string; pattern: RegExp }[];
