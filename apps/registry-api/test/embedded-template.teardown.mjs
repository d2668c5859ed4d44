export default async function removeEmbeddedTemplate() {
  await globalThis.removeEmbeddedTemplate();
}
