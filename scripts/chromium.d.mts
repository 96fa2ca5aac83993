export const WHAT_TO_INSTALL: string;
export function findChromium(): string | undefined;
export function findWholeChromium(): string | undefined;
