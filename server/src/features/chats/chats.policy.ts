/** The owner may change and delete a chat; if the owner was deleted, all members may. */
export function canChange(userId: number, chat: { readonly ownerId: number | null }): boolean {
  return chat.ownerId === null || chat.ownerId === userId;
}
