/** A catalogue in another language: the same members, with functions of the same parameters. */
export type Translated<English> = English extends string
  ? string
  : English extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Name in keyof English]: Translated<English[Name]> };
