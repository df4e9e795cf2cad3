export { Board, type CardFocus } from "./Board.tsx";
export { nameOfCard } from "./card-names.ts";
export { useLaneCards } from "./useLaneCards.ts";
