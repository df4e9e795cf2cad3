/** Who changes and deletes a chat: its owner. Where the owner's account is gone, whoever is in it. */
export function canChange(userId: number, chat: { readonly ownerId: number | null }): boolean {
  return chat.ownerId === null || chat.ownerId === userId;
}
