export default function Page() {
  return (
    <main>
      <h1>A shop whose agent asks for payments</h1>
      <p>
        POST /api/orders/17 asks, GET /api/orders/17 says how it stands, POST /api/webhooks is told of
        changes.
      </p>
    </main>
  );
}
