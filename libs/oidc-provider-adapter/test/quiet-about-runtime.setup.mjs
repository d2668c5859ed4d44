// oidc-provider warns of runtimes older than its authors test. These tests run on them, too, and show whether it works.
const { warn } = console;
console.warn = (...words) => {
  if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
};
