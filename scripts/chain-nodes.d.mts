export declare function findLitecoind(): string | undefined;
export declare function findAnvil(): string | undefined;
/** The compiler: JSON of sources in, JSON of contracts out. */
export declare function loadSolc(): { compile(input: string): string };
