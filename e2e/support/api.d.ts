import { plans } from "@prosa/contract";
import type {
  AnyEndpoint,
  BodyIn,
  Connection,
  ParamsIn,
  Profile,
  QueryIn,
  ResponseOf,
  SimMessage,
} from "@prosa/contract";
export declare const password = "prosa123";
export declare const photo: string;
export interface Account {
  readonly name: string;
  readonly email: string;
}
interface CallInput<E> {
  readonly params?: ParamsIn<E>;
  readonly query?: QueryIn<E>;
  readonly body?: BodyIn<E>;
  readonly form?: FormData;
}
/** A signed-in API client, without a browser. */
export interface ApiClient {
  readonly url: string;
  readonly userId: number;
  call<E extends AnyEndpoint>(endpoint: E, input?: CallInput<E>): Promise<ResponseOf<E>>;
}
export declare function signInToApi(url: string, account: Pick<Account, "email">): Promise<ApiClient>;
/** A name that no other journey uses. */
export declare function uniqueName(name: string): string;
export declare function createUser(
  admin: ApiClient,
  name: string,
  rights?: {
    readonly profile?: Profile;
    readonly queueIds?: number[];
    readonly allTicket?: boolean;
  },
): Promise<
  Account & {
    readonly id: number;
  }
>;
/** Journeys create more users in the demo's company than its plan allows. */
export declare function removePlanLimits(operator: ApiClient): Promise<void>;
/** A company with a plan of its own, and its first admin, who may sign in in a browser. */
export declare function createCompany(
  operator: ApiClient,
  limits?: Partial<BodyIn<typeof plans.create>>,
): Promise<Account>;
export declare function createQueue(admin: ApiClient, name: string, color: string): Promise<number>;
/** A linked and connected simulator line. */
export declare function connectLine(admin: ApiClient, name: string, queueIds?: number[]): Promise<Connection>;
/** A customer of a line. */
export interface Customer {
  readonly name: string;
  readonly number: string;
  says(text: string): Promise<void>;
  sendsPhoto(caption: string): Promise<void>;
  looks(): Promise<void>;
  /** The texts on their phone. */
  sees(): Promise<SimMessage[]>;
}
export declare function addCustomer(admin: ApiClient, line: Connection, name: string): Promise<Customer>;
/** The ticket of this contact, as soon as it exists. */
export declare function ticketOf(
  admin: ApiClient,
  name: string,
): Promise<{
  id: number;
  uuid: string;
  status: "closed" | "open" | "pending";
  userId: number | null;
  user: {
    id: number;
    name: string;
  } | null;
  queueId: number | null;
  queue: {
    waitWarningMinutes: number;
    waitLimitMinutes: number;
    id: number;
    name: string;
    color: string;
  } | null;
  contactId: number;
  contact: {
    id: number;
    name: string;
    number: string;
    email: string;
    isGroup: boolean;
    urlPicture: string | null;
    profilePicUrl: string | null;
    extraInfo?:
      | {
          name: string;
          value: string;
        }[]
      | undefined;
  };
  whatsappId: number | null;
  whatsapp: {
    id: number;
    name: string;
  } | null;
  tags: {
    id: number;
    name: string;
    color: string;
    kanban: number;
  }[];
  products: {
    id: number;
    name: string;
    type: string;
    price: number | null;
  }[];
  chatbot: boolean;
  isGroup: boolean;
  lastMessage: string;
  lastMessageType: string;
  lastMessageFromMe: boolean;
  lastMessageAuthor:
    | {
        kind: "bot";
      }
    | {
        kind: "campaign";
      }
    | {
        kind: "user";
        user: {
          id: number;
          name: string;
        } | null;
      }
    | {
        kind: "phone";
      }
    | null;
  lastMessageFailed: boolean;
  lastMessageAt: string | null;
  waitingSince: string | null;
  unreadMessages: number;
  useIntegration: boolean;
  integrationId: number | null;
  promptId: number | null;
  protocol: string;
  createdAt: string;
  updatedAt: string;
  version: number;
}>;
export {};
