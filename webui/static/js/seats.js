// The four seats in turn order, and what their players are called.

import { state } from "./store.js";

export const SEATS = ["A", "B", "C", "D"];

/** The letter of a seat, and its player's name where one was given. */
export const seatName = (seat) => [seat, state.scores?.players?.[seat]].filter(Boolean).join(" ");
