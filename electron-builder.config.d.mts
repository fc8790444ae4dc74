declare const config: {
  readonly asar: boolean;
  readonly fileAssociations: readonly { readonly ext: string }[];
  readonly protocols: readonly { readonly schemes: readonly string[] }[];
  readonly publish: null;
  readonly npmRebuild: boolean;
  readonly nsis: Readonly<Record<string, boolean>>;
  readonly mac: { readonly target: readonly object[] };
  readonly linux: { readonly target: readonly string[] };
  readonly afterPack: (context: object) => Promise<void>;
};
export default config;
