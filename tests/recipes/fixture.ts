/** What somebody would do who follows a recipe of `docs/adding.md`: only what it names, and nothing that is taken away. */
export interface Fixture {
  /** The heading of the recipe. */
  recipe: string;
  /** What stands for `NAME` in the paths of the recipe. */
  name: string;
  /** The files that are new, with their texts. */
  files: Record<string, string>;
  /** What is written into files that are there: `text` behind `after`, which stands in the file once. */
  lines: Record<string, { after: string; text: string }[]>;
}
