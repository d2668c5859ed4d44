export default async function stopSharedPostgres() {
  await globalThis.sharedPostgres?.stop();
  globalThis.sharedPostgres = undefined;
}
