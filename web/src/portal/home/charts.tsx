/** What happens, drawn: filled by the areas that know payment requests and deliveries. */
export function HomeCharts() {
  return null;
}
