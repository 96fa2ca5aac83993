/** One icon of Lucide: its shapes and their attributes. The package declares types for its whole set only. */
declare module 'lucide/dist/esm/icons/*.mjs' {
  const shapes: ReadonlyArray<readonly [tag: string, attributes: Readonly<Record<string, string | number>>]>;
  export default shapes;
}
