// oidc-provider warns about Node versions its authors do not test; these tests cover them.
const { warn } = console;
console.warn = (...words) => {
  if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
};
